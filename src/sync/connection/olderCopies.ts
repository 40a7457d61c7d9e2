/**
 * For this time, in ms, a response may come from a copy of a session that lacks what another response already had (R39).
 */
export const longestCopyLagMs = 60_000;
