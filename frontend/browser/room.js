// How much room the window has.

const ROOM_FOR_DOCK = 840; // px; below that the graph needs the height
const SMALL = 700; // px; there the dock is a tab of its own, as in styles/small.css

/** Whether the dock may be open without being asked for. */
export const hasRoomForDock = () => innerHeight >= ROOM_FOR_DOCK || innerWidth < SMALL;
