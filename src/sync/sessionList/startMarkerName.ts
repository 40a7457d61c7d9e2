/** The file in the data folder that is there where a starting window has something to read. */
export const startMarkerFile = 'marker';
