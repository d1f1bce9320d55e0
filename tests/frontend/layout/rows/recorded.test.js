// slow: lays out every recorded program, so `make check` leaves it out.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";

import { layoutGraph } from "../../../../frontend/layout/layout.js";
import { inRows } from "../../../../frontend/layout/rows/rows.js";
import { opened, recorded } from "../programs.js";
import { assertApart, assertClear, assertDistinct, assertReadable } from "../sound.js";

const recordings = readdirSync(new URL("../../../data/tensorflow/", import.meta.url))
  .filter((file) => file.endsWith(".json") && !file.startsWith("tape-"))
  .map((file) => file.replace(".json", ""));

const ROOMS = { "a phone": { width: 493, height: 600 }, "a window of 1440x900": { width: 1050, height: 820 } };

for (const [name, room] of Object.entries(ROOMS)) {
  test(`in rows for ${name} nothing overlaps in ${recordings.length} programs, no line runs through an op, no label is covered`, (t) => {
    let broken = 0;
    for (const id of recordings) {
      for (const each of [recorded(id), opened(id, true), { ...recorded(id), merged: true }]) {
        const scene = inRows(layoutGraph({ ...each, room }), room);
        broken += Number(scene.breaks !== undefined);
        for (const check of [assertApart, assertClear, assertReadable, assertDistinct]) check(scene, id);
      }
    }
    t.diagnostic(`${broken} of ${3 * recordings.length} drawings in rows`);
    assert.ok(broken > 50);
  });
}
