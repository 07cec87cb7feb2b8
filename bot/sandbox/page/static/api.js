// What people do, sent the way that tools use.

export class Refused extends Error {}

export async function post(what, body) {
  let response;
  try {
    response = await fetch(`/sandbox/api/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refused("the sandbox does not answer");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.error || response.statusText);
  return answer;
}
