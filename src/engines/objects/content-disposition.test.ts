import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../test/support/any-character.ts'
import { attachmentNamed } from './content-disposition.ts'

test('a name is given in full, with a plain one beside it for those that know no other', () => {
  assert.equal(attachmentNamed('report.csv'), `attachment; filename="report.csv"; filename*=UTF-8''report.csv`)
  assert.equal(
    attachmentNamed(`Größe "1" (a'b).txt`),
    `attachment; filename="Gr__e _1_ (a'b).txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22%20%28a%27b%29.txt`
  )
})

test('any name makes one header of printable ASCII that gives the name back', () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (name) => {
      const header = attachmentNamed(name)
      const [, plain, encoded] = /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w%.~-]*)$/.exec(header) ?? []
      assert.match(header, /^[ -~]*$/)
      assert.ok(plain !== undefined && encoded !== undefined, header)
      assert.equal(decodeURIComponent(encoded), name.toWellFormed().replace(/\p{Cc}/gu, '_'))
    })
  )
})
