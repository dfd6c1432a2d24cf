/* The menu leads to the start of a page, also from within it: Streamlit alone keeps the address, and with it the open card. */

if (!window.backstepNavigation) {
  window.backstepNavigation = true;
  const within = ["concept", "lab", "symptom", "way", "attempt"];
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest('[data-testid="stTopNavLink"], [data-testid="stSidebarNavLink"]');
      const url = new URL(window.location.href);
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || new URL(link.href).pathname !== url.pathname) return;
      if (!within.some((name) => url.searchParams.has(name))) return;
      event.preventDefault();
      event.stopPropagation();
      for (const name of within) url.searchParams.delete(name);
      window.history.pushState(window.history.state, "", url);
      window.dispatchEvent(new PopStateEvent("popstate"));
      /* The menu of a narrow screen lies over the page. */
      const close = link.closest('[data-testid="stSidebar"]');
      if (close) close.querySelector('[data-testid="stSidebarCollapseButton"] button').click();
    },
    true,
  );
}
