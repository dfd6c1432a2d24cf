/* The step in the address bar, so that a link holds it and a reload comes back to it. */

/* Browsers refuse more than about a hundred changes of the address in half a minute: so many at once, then one in a while. */
const ADDRESS_BURST = 20;
const ADDRESS_INTERVAL = 500;
const AHEAD_KEY = "backstep-ahead";

class StepAddress {
  constructor() {
    this.page = window.location.pathname;
    this.credit = ADDRESS_BURST;
    this.counted = performance.now();
  }

  /* Write the step (from 1): at once, or after a run of many steps when it has ended. */
  put(step) {
    clearTimeout(this.timer);
    const url = new URL(window.location.href);
    if (url.pathname !== this.page || url.searchParams.get("step") === String(step)) return;
    this.remember(url.href, step);
    const now = performance.now();
    this.credit = Math.min(ADDRESS_BURST, this.credit + (now - this.counted) / ADDRESS_INTERVAL);
    this.counted = now;
    if (this.credit < 1) {
      this.timer = setTimeout(() => this.put(step), ADDRESS_INTERVAL);
      return;
    }
    this.credit -= 1;
    url.searchParams.set("step", String(step));
    window.history.replaceState(window.history.state, "", url);
  }

  /* A reload may still ask for the address as it was before the last step: this tells which step that had led to. */
  remember(href, step) {
    try {
      window.sessionStorage.setItem(AHEAD_KEY, JSON.stringify([href, step]));
    } catch {
      /* Storage can be switched off; the address alone is nearly always enough. */
    }
  }

  /* The step (from 1) that was shown before this page was loaded again; null when the address holds it. */
  ahead() {
    const [loaded] = performance.getEntriesByType("navigation");
    if (!loaded || loaded.type === "navigate") return null;
    try {
      const [href, step] = JSON.parse(window.sessionStorage.getItem(AHEAD_KEY)) || [];
      return href === window.location.href ? step : null;
    } catch {
      return null;
    }
  }

  stop() {
    clearTimeout(this.timer);
  }
}
