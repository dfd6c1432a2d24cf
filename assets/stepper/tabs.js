/* The tabs beside the picture: a row of buttons, of which one has its panel open. */

const TAB_NAMES = { values: "Values", steps: "All steps", node: "Tensor", doctor: "Doctor" };

class Tabs {
  constructor(row, panel, onOpen) {
    Object.assign(this, { row, panel, onOpen, open: "values" });
    this.unique = `s${Math.random().toString(36).slice(2, 8)}`;
    row.addEventListener("click", (event) => {
      const tab = event.target.closest("[role=tab]");
      if (tab) this.show(tab.dataset.tab);
    });
    row.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const tabs = [...row.children];
      const to = tabs[(tabs.findIndex((tab) => tab.dataset.tab === this.open) + way + tabs.length) % tabs.length];
      this.show(to.dataset.tab);
      to.focus();
    });
  }

  /* Offer these tabs; `counts` are numbers that stand behind a name. */
  offer(names, counts) {
    this.row.replaceChildren(
      ...names.map((name) => {
        const tab = make("button", {
          type: "button",
          role: "tab",
          id: `${this.unique}-tab-${name}`,
          "aria-controls": `${this.unique}-panel-${name}`,
          "data-tab": name,
          text: TAB_NAMES[name] + (counts[name] ? ` (${counts[name]})` : ""),
        });
        this.panel(name).id = `${this.unique}-panel-${name}`;
        this.panel(name).setAttribute("aria-labelledby", tab.id);
        return tab;
      }),
    );
    for (const name of Object.keys(TAB_NAMES)) this.panel(name).hidden = true;
  }

  show(name) {
    this.open = name;
    for (const tab of this.row.children) {
      const open = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      this.panel(tab.dataset.tab).hidden = !open;
    }
    this.onOpen(name);
  }
}
