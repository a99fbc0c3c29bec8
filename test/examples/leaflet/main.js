import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';

const map = L.map('map').setView([-29.99, -19.99], 13);
L.tileLayer('ADDRESS/api/v2/tiles/raster-v1/{z}/{x}/{y}.png?token=TOKEN', {
  maxZoom: 22,
  attribution: 'Leadline, not for navigation',
}).addTo(map);
