// Makes the page work without a network after one visit, and, where the host cannot send the headers
// that threads need, lets a service worker add them.

// `files`: addresses that this page's own list of loaded files lacks, e.g. those in the engine
// worker's "ready" message. Resolves when they are kept; false where there are no service workers.
export async function keepForOffline(files = [], {isolate = false} = {}) {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return false;
  const address = new URL('service-worker.js', import.meta.url);
  if (isolate) address.searchParams.set('isolate', '1');
  try {
    await navigator.serviceWorker.register(address);
    const registration = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map((entry) => entry.name).filter((url) => !/\.safetensors$/.test(url) || url.includes('snapshot'));
    const page = location.href.split('#')[0];
    const kept = new Promise((done) => navigator.serviceWorker.addEventListener('message', ({data}) => {
      if (data?.type === 'kept') done(true);
    }));
    registration.active.postMessage({type: 'keep', urls: [...new Set([page, ...loaded, ...files])]});
    navigator.serviceWorker.startMessages?.();
    return await kept;
  } catch {
    return false;   // private windows refuse; the page works as long as the network does
  }
}
