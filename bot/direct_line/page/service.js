// What all of the page uses: requests to the service, words and their language, elements, and announcements.
export const DOMAIN = `${location.origin}/v3/directline`;
export const words = JSON.parse(document.getElementById("words").textContent);
// Web Chat's languages that are written from right to left; the page is not made for them.
export const locale = /^(ar|he)\b/i.test(navigator.language) ? "en-US" : navigator.language;

// The response, or null for one that is no success.
export async function request(method, url, token, body) {
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(body && { "Content-Type": "application/json" }) };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  return response.ok ? response : null;
}

export async function call(method, path, token, body) {
  const response = await request(method, DOMAIN + path, token, body);
  return response && response.json();
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// For screen readers. The same words twice are two messages.
export function announce(text) {
  const region = document.getElementById("announced");
  region.textContent = "";
  setTimeout(() => { region.textContent = text; }, 50);
}
