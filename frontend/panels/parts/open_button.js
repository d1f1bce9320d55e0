// Choosing a file of one's own to open: a program, a notebook, or a graph that another program wrote.

import { fetched } from "../../requests/request.js";

/** Ask for a file, of any kind: the name of an event file ends in that of its host. */
export function chooseFile() {
  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    const opener = file && (await fetched(() => import("../../requests/open_file.js")));
    if (opener) await opener.openFile(file);
  });
  input.click();
}
