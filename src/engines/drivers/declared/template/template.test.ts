import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { filledBody, filledHeaders, filledPath, filledValues } from './encode.ts'
import { fill, memberOf, namesIn, TemplateError, valueIn } from './template.ts'

describe('templates', () => {
  it('put values in the place of names', () => {
    const scope = {
      id: 5,
      name: 'A b',
      list: ['x', 2],
      inner: { rows: [{ id: 'r' }, { id: 's' }] },
      none: null,
      empty: ''
    }
    assert.equal(fill('/a/{id}/{name|lower}', scope), '/a/5/a b')
    assert.equal(fill('{inner.rows.-1.id}{inner.rows.0.id}', scope), 'sr')
    assert.equal(fill('{list}', scope), 'x,2')
    assert.equal(fill('{list|join:;}', scope), 'x;2')
    assert.equal(fill('{none|default:n}-{gone|default:g}', scope), 'n-g')
    assert.equal(fill('{name|trim|upper|base64}', scope), 'QSBC')
    assert.equal(fill('{"a": { b }, {}}', scope), '{"a": { b }, {}}')
    for (const gone of ['{none}', '{empty}', '{gone}', '{inner}', '{id.x}', '{list.9}']) {
      assert.equal(fill(gone, scope), undefined, gone)
    }
    assert.equal(valueIn('{id}', scope), 5)
    assert.equal(valueIn('{id}x', scope), undefined)
    assert.deepEqual(namesIn('{a}{b.c|lower}'), ['a', 'b.c'])
    assert.throws(() => fill('{id|evil}', scope), TemplateError)
  })

  it('see own members alone', () => {
    for (const name of [
      'constructor',
      '__proto__',
      'toString',
      'inner.constructor',
      'list.length',
      'list.map',
      'id.toFixed'
    ]) {
      assert.equal(fill(`{${name}}`, { inner: {}, list: [1], id: 1 }), undefined, name)
    }
    assert.equal(memberOf(JSON.parse('{"__proto__": {"a": 1}}'), ['__proto__', 'a']), 1)
  })

  it('keep values within their segment of a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'az./%?#@:\\&= é€\n\ud800') }), (value) => {
        if (value === '' || /^\.{1,2}$/.test(value)) {
          assert.throws(() => filledPath('/a/{v}/b', { v: value }), { code: 'bad_request' })
          return
        }
        const url = new URL(`https://h.example${filledPath('/a/{v}/b', { v: value })}`)
        assert.equal(url.host, 'h.example')
        const segments = url.pathname.split('/')
        assert.equal(segments.length, 4)
        assert.equal(decodeURIComponent(segments[2] ?? ''), value.toWellFormed())
        assert.equal(url.search + url.hash, '')
      })
    )
    assert.throws(() => filledPath('/a/{v}{w}/b', { v: '.', w: '.' }), { code: 'bad_request', pointer: '/v' })
    assert.throws(() => filledPath('/a/{parent.id}', {}), { code: 'bad_request', message: /parent\.id/ })
  })

  it('let no header have a line break in it', () => {
    for (const value of ['a\r\nx: y', 'a\n', '\0', '€', '\x7f']) {
      assert.throws(() => filledHeaders({ 'x-a': '{v}' }, { v: value }), { code: 'bad_request', pointer: '/v' })
    }
    assert.deepEqual(filledHeaders({ 'x-a': 'b {v}', 'x-b': '{gone}' }, { v: 'ü' }), { 'x-a': 'b ü' })
  })

  it('keep values within their texts of a body, and their types where they are alone', () => {
    const scope = { n: 5, b: false, list: ['a', {}], text: '"},{"' }
    const body = {
      n: '{n}',
      s: 'n={n}',
      b: '{b}',
      l: ['{list}', '{gone}'],
      t: { x: '{text}' },
      gone: '{gone}',
      k: null
    }
    assert.deepEqual(filledBody(body, scope), { n: 5, s: 'n=5', b: false, l: [['a']], t: { x: '"},{"' }, k: null })
    assert.deepEqual(filledValues({ a: '{n}', b: '{gone}' }, scope), { a: '5' })
  })
})
