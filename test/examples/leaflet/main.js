import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';

const answer = await fetch('ADDRESS/api/v1/styles/raster.json?token=TOKEN');
const { chart } = (await answer.json()).sources;
const map = L.map('map').setView([-29.99, -19.99], 13);
L.tileLayer(chart.tiles[0], { maxZoom: 22, attribution: chart.attribution }).addTo(map);
