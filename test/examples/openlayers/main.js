import { fromLonLat } from 'ol/proj.js';
import { apply } from 'ol-mapbox-style';
import 'ol/ol.css';

const map = await apply('map', 'ADDRESS/api/v1/styles/base.json?token=TOKEN');
map.getView().setCenter(fromLonLat([-19.99, -29.99]));
map.getView().setZoom(13);
