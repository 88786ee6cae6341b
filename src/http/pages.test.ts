// Once: pages, which no table has a part in.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../test/support/app.ts'
import { ERRORS } from '../errors.ts'
import { escapeHtml, page, prose } from './html.ts'
import { referencePage } from './reference-page.ts'

const MARKUP = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`

/** Nothing that runs, loads from elsewhere or could be broken into. */
function assertHarmless(html: string): void {
  for (const [script] of html.matchAll(/<script\b.*?(?:<\/script>|$)/gs)) {
    assert.match(script, /^<script type="module" src="\/pages\/[\w-]+\.js"><\/script>$/)
  }
  assert.doesNotMatch(html.replace(/"[^"]*"/g, '""'), /<[^>]*\s(on\w+|style)\s*=/i)
  assert.doesNotMatch(html, /<img|<style|<iframe|javascript:/i)
  assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//)
}

describe('pages', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  function assertPage(answer: Answer): void {
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.match(answer.text, /^<!doctype html>\n<html lang="en">/)
    assertHarmless(answer.text)
  }

  for (const path of ['/', '/api/docs', '/api/docs/errors']) {
    it(`are served at ${path} without a token`, async () => assertPage(await test.call('GET', path)))
  }

  it('explain every code of the catalogue', async () => {
    const index = await test.call('GET', '/api/docs/errors')
    for (const [code, { status, title }] of Object.entries(ERRORS)) {
      const answer = await test.call('GET', `/api/docs/errors/${code}`)
      assertPage(answer)
      assert.ok(answer.text.includes(`<h1><code>${code}</code></h1>`))
      assert.ok(answer.text.includes(`${prose(title)}</strong> (HTTP ${status})`))
      assert.ok(index.text.includes(`href="/api/docs/errors/${code}"`))
    }
  })

  for (const code of ['nonsense', 'constructor', '__proto__', 'NOT_FOUND', '%3Cscript%3E']) {
    it(`know nothing of ${code}`, async () => {
      const answer = await test.call('GET', `/api/docs/errors/${code}`)
      assert.equal(answer.status, 404)
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
      assert.equal(answer.body.code, 'not_found')
    })
  }

  it('load nothing but files of their own', async () => {
    const loaded = new Set<string>()
    for (const path of ['/', '/api/docs', '/api/docs/errors']) {
      const { text } = await test.call('GET', path)
      for (const [, url] of text.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)) loaded.add(url as string)
    }
    assert.deepEqual([...loaded].sort(), ['/pages/sign-in.js', '/pages/style.css'])
    for (const url of loaded) {
      const answer = await test.call('GET', url)
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/(css|javascript); charset=utf-8$/)
      assert.doesNotMatch(answer.text, /innerHTML|eval\(|document\.write|@import|url\(/)
    }
  })

  it('show every operation and schema in the reference', async () => {
    const { text } = await test.call('GET', '/api/docs')
    const api = (await test.app.describe()) as { paths: Record<string, Record<string, { operationId: string }>> }
    for (const operation of Object.values(api.paths).flatMap((methods) => Object.values(methods))) {
      assert.ok(text.includes(`<details id="${operation.operationId}">`), operation.operationId)
    }
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(anchors.has(target), `#${target}`)
  })

  it('offer public keys and nothing private', async () => {
    const jwks = await test.call('GET', '/.well-known/jwks.json')
    const audit = await test.call('GET', '/.well-known/millrace-audit-keys.json')
    for (const key of [...jwks.body.keys, ...audit.body.keys]) {
      assert.equal(typeof key.x, 'string')
      assert.ok(!('d' in key))
    }
  })
})

describe('text in a page', () => {
  it('is escaped', () => {
    assert.equal(escapeHtml(`<a href="x">'&'</a>`), '&#60;a href=&#34;x&#34;&#62;&#39;&#38;&#39;&#60;/a&#62;')
    assert.equal(prose('Send `<x>` & <y>'), 'Send <code>&#60;x&#62;</code> &#38; &#60;y&#62;')
    assertHarmless(page(MARKUP, ''))
  })

  it('of a description can’t become markup, wherever it stands', () => {
    const schema = { $ref: `#/components/schemas/${MARKUP}`.replaceAll('/script', 'script') }
    const operation = {
      operationId: MARKUP,
      summary: MARKUP,
      description: MARKUP,
      tags: [MARKUP],
      parameters: [{ name: MARKUP, in: MARKUP, required: true, description: MARKUP, schema }],
      requestBody: { content: { [MARKUP]: { schema: { description: MARKUP } } } },
      responses: { [MARKUP]: { description: MARKUP, content: { [MARKUP]: { schema } } } }
    }
    const html = referencePage({
      info: { version: MARKUP, description: MARKUP },
      tags: [{ name: MARKUP, description: MARKUP }],
      paths: { [MARKUP]: { [MARKUP]: operation } },
      components: { schemas: { [MARKUP]: { description: MARKUP } } }
    })
    assertHarmless(html)
    assert.ok(html.includes(escapeHtml(MARKUP)))
  })
})
