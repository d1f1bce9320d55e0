// What stands in the page, as a person finds it: by what it is and what it is called, or by a selector. Only what is shown.

export default ({ role, name, css, within, exact }) => {
  const OF_ROLE = {
    button: "button:not([role]), [role=button], summary",
    tab: "[role=tab]",
    link: "a",
    field: "input, textarea, select",
  };
  const plain = (text) => text.trim().replace(/\s+/g, " ");
  const nameOf = (element) =>
    plain(
      element.getAttribute("aria-label") ??
        document.getElementById(element.getAttribute("aria-labelledby"))?.textContent ??
        element.labels?.[0]?.textContent ??
        element.textContent,
    );
  const isCalled = (element) => (exact ? nameOf(element) === name : nameOf(element).includes(name));
  const places = within ? [...document.querySelectorAll(within)] : [document];
  return places
    .flatMap((place) => [...place.querySelectorAll(css ?? OF_ROLE[role])])
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && (name === undefined || isCalled(element)));
};
