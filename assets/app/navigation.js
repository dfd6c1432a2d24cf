/* The menu leads to the start of a page, also from within it: Streamlit alone keeps the address, and with it the open card. */

if (!window.backstepNavigation) {
  window.backstepNavigation = true;
  const within = ["concept", "lab", "symptom", "way", "attempt"];
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest('[data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"]');
      const url = new URL(window.location.href);
      if (!link || new URL(link.href).pathname !== url.pathname || !within.some((name) => url.searchParams.has(name))) return;
      for (const name of within) url.searchParams.delete(name);
      window.history.pushState(window.history.state, "", url);
      window.dispatchEvent(new PopStateEvent("popstate"));
    },
    true,
  );
}
