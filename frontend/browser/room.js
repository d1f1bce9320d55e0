// How much room the window has.

const SMALL = 700; // px; there the dock is a tab of its own, as in styles/small.css

/** Whether the dock may be open without being asked for: else the graph has its room. */
export const hasRoomForDock = () => innerWidth < SMALL;
