import { ERRORS, type ErrorCode } from '../errors.ts'

/** A page may load, frame or send nothing elsewhere, and tells nobody where it was. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer'
}

/** Text made safe to stand in a page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text in which backticks mark code, as the catalogue and the schemas have it. */
export function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export function page(title: string, body: string, script?: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Millrace</title>
<link rel="stylesheet" href="/pages/style.css">
</head>
<body>
${body}
${script === undefined ? '' : `<script type="module" src="${script}"></script>`}
</body>
</html>
`
}

export function startPage(hasIssuer: boolean): string {
  const help = hasIssuer
    ? 'Make a token with <code>npm run -s millrace -- token --user ada --role admin</code>.'
    : 'Take an access token from your identity provider.'
  return page(
    'Sign in',
    `<h1>Millrace</h1>
<p><a href="/api/docs">API reference</a> · <a href="/api/openapi.json">OpenAPI</a> · <a href="/api/health">Health</a></p>
<p role="alert"></p>
<form id="sign-in" hidden>
<h2>Sign in</h2>
<p><label>Access token or API key <input name="token" type="password" autocomplete="off" required></label></p>
<p class="quiet">${help}</p>
<button>Sign in</button>
</form>
<section id="signed-in" hidden>
<h2>Signed in as <span id="name"></span></h2>
<p>Role: <strong id="role"></strong></p>
<p>Permissions: <code id="permissions"></code></p>
<button id="sign-out" type="button">Sign out</button>
</section>`,
    '/pages/sign-in.js'
  )
}

export function errorPage(code: ErrorCode): string {
  const { status, title, detail, about } = ERRORS[code]
  return page(
    code,
    `<p><a href="/api/docs/errors">All errors</a></p>
<h1><code>${code}</code></h1>
<p><strong>${prose(title)}</strong> (HTTP ${status})</p>
<h2>What it means</h2>
<p>${prose(about)}</p>
<h2>What to do</h2>
<p>${prose(detail)}</p>`
  )
}

export function errorIndexPage(): string {
  const codes = Object.entries(ERRORS).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = codes.map(
    ([code, { status, title }]) =>
      `<tr><td><a href="/api/docs/errors/${code}"><code>${code}</code></a></td><td>${status}</td><td>${prose(title)}</td></tr>`
  )
  return page(
    'Errors',
    `<h1>Errors</h1><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${rows.join('')}</table>`
  )
}
