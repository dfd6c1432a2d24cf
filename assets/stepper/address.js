/* The step in the address bar, so that a link holds it and a reload comes back to it. */

/* A change of the address costs the browser several milliseconds: it waits until the step is painted. Browsers also refuse
   more than about a hundred changes in half a minute: so many close together, then one in a while. */
const ADDRESS_DELAY = 80;
const ADDRESS_BURST = 20;
const ADDRESS_INTERVAL = 500;
const AHEAD_KEY = "backstep-ahead";

class StepAddress {
  constructor() {
    this.page = window.location.pathname;
    this.credit = ADDRESS_BURST;
    this.counted = performance.now();
  }

  /* Keep the step (from 1): this tab remembers at once that its address now stands for it, the address itself follows. */
  put(step) {
    clearTimeout(this.timer);
    try {
      window.sessionStorage.setItem(AHEAD_KEY, JSON.stringify([window.location.href, step]));
    } catch {
      /* Storage can be switched off; the address alone is nearly always enough. */
    }
    if (!this.lags(step)) return;
    const now = performance.now();
    this.credit = Math.min(ADDRESS_BURST, this.credit + (now - this.counted) / ADDRESS_INTERVAL);
    this.counted = now;
    this.timer = setTimeout(() => this.write(step), this.credit < 1 ? ADDRESS_INTERVAL : ADDRESS_DELAY);
  }

  lags(step) {
    const { pathname, searchParams } = new URL(window.location.href);
    return pathname === this.page && searchParams.get("step") !== String(step);
  }

  write(step) {
    if (!this.lags(step)) return;
    this.credit -= 1;
    const url = new URL(window.location.href);
    url.searchParams.set("step", String(step));
    window.history.replaceState(window.history.state, "", url);
  }

  /* The step (from 1) that was shown before this page was loaded again, when that came before the change of the address.
     Asked once a page: a link to the same address means the step it names. */
  ahead() {
    const [loaded] = performance.getEntriesByType("navigation");
    if (window.backstepAsked || !loaded || loaded.type === "navigate") return null;
    window.backstepAsked = true;
    try {
      const [href, step] = JSON.parse(window.sessionStorage.getItem(AHEAD_KEY)) || [];
      return href === loaded.name && href === window.location.href ? step : null;
    } catch {
      return null;
    }
  }

  stop() {
    clearTimeout(this.timer);
  }
}
