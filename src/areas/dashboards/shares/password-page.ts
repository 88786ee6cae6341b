import { ERRORS, type ErrorCode } from '../../../errors.ts'
import { escapeHtml } from '../../../http/html.ts'
import { BytesAnswer } from '../../../http/route.ts'
import { Problem } from '../errors.ts'
import { frameAncestors } from './embedding.ts'
import type { ShareRow } from './migrations.ts'

const STYLE =
  'body{margin:0;background:#f4f5f7;font-family:sans-serif}form{max-width:20em;margin:15vh auto;padding:2em;background:#fff}input,button{box-sizing:border-box;width:100%;margin-top:.5em;padding:.5em;font-size:1em}'

/** What a password, or the right one, would mend. */
const ASKING: readonly ErrorCode[] = ['share_password_needed', 'share_password_wrong', 'share_locked']

export const isAsking = (error: unknown): error is Problem => error instanceof Problem && ASKING.includes(error.code)

/**
 * The refusal with a page to type the password into. It says nothing of what is behind the link, runs nothing, loads nothing,
 * and sends the password to where it came from and nowhere else.
 */
export function withPasswordPage({ code, detail, headers }: Problem, share: Pick<ShareRow, 'origins'>): Problem {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; ${frameAncestors(share)}`
  return new Problem(code, {
    detail,
    headers: { ...headers, 'content-security-policy': policy, 'referrer-policy': 'no-referrer' },
    page: pageOf(code === 'share_password_needed' ? '' : `${ERRORS[code].title}. ${detail}`)
  })
}

const pageOf = (told: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Password</title>
<style>${STYLE}</style>
</head>
<body>
<form method="post" action="page">
<label>The password of this link
<input name="password" type="password" maxlength="200" autocomplete="off" autofocus required></label>
<p role="alert">${escapeHtml(told)}</p>
<button>Show it</button>
</form>
</body>
</html>
`

/** Where the dashboard is shown to whoever knew the password: what stands for it is in the address, and never itself. */
export function toPage(access: string): BytesAnswer {
  const location = `page?access=${encodeURIComponent(access)}`
  return new BytesAnswer(303, { location, 'content-length': '0', 'referrer-policy': 'no-referrer' }, undefined)
}
