/** The file in the data folder that exists only if a starting window has something to load. */
export const startMarkerFile = 'marker';
