import { escapeHtml, PAGE_HEADERS, page } from '../../http/html.ts'
import { BytesAnswer } from '../../http/route.ts'

/** What a person sees who comes back from a service. Nothing of the address is shown, in which anything can stand. */
export function authorizationPage(title: string, text: string): BytesAnswer {
  const body = page(title, `<h1>${escapeHtml(title)}</h1>\n<p role="status">${escapeHtml(text)}</p>`)
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  return new BytesAnswer(200, headers, Buffer.from(body))
}
