import { escapeHtml } from '../../../http/html.ts'
import { frameAncestors } from './embedding.ts'
import type { ShareRow } from './migrations.ts'

const STYLE =
  'body{margin:0;background:#f4f5f7;font-family:sans-serif}svg{display:block;margin:0 auto;max-width:100%;height:auto}p{padding:1em}'

/** A page that shows a dashboard as a picture, made anew as often as the dashboard says. It runs nothing and loads nothing. */
export function sharedPage(title: string, svg: string, refreshSeconds: number | null): string {
  const refresh =
    refreshSeconds === null ? '' : `\n<meta http-equiv="refresh" content="${Math.max(5, refreshSeconds)}">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${svg}
</body>
</html>
`
}

export const pageHeaders = (row: Pick<ShareRow, 'origins'>): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestors(row)}`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store'
})
