/* Tells the server once what came with a new `token` has been painted. data: {token}. Trigger "painted": the token. */

const known = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  const before = known.get(parentElement);
  known.set(parentElement, data.token);
  if (before === undefined || before === data.token) return;
  requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => setTriggerValue("painted", data.token);
    painted.port2.postMessage(null);
  });
}
