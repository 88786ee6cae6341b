import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { memoryPlace, openFiles, recordsOf, streamOf, withoutOwn } from '../testing/memory-place.ts'

const open = (content: string, path = 'a.json', pieceBytes?: number) =>
  openFiles(memoryPlace([{ path, modifiedMs: 1000, content }], pieceBytes))
const read = async (...given: Parameters<typeof open>) => (await recordsOf(open(...given))).records

describe('JSON in files', () => {
  it('finds every object, in lines, in an array or one after the other, however it comes in pieces', async () => {
    const objects = fc.array(
      fc.record({ v: fc.oneof(fc.jsonValue(), fc.string({ unit: fc.constantFrom('"', '\\', '[', '}', ',', '\n') })) }),
      {
        minLength: 1,
        maxLength: 10
      }
    )
    const forms = {
      lines: (all: unknown[]) => all.map((one) => JSON.stringify(one)).join('\n'),
      array: (all: unknown[]) => JSON.stringify(all),
      pretty: (all: unknown[]) => JSON.stringify(all, null, 2),
      sequence: (all: unknown[]) => all.map((one) => JSON.stringify(one, null, 1)).join('\n')
    }
    const form = fc.constantFrom(...Object.values(forms))
    await fc.assert(
      fc.asyncProperty(objects, form, fc.integer({ min: 1, max: 60 }), async (all, write, piece) => {
        const source = open(write(all), 'a.json', piece)
        const { columns } = await streamOf(source)
        const { records } = await recordsOf(source)
        assert.deepEqual(
          records.map(({ v }) => (columns[0]?.type === 'json' && v !== null ? JSON.parse(String(v)) : v)),
          all
            .map(({ v }) => (columns[0]?.type === 'text' && v !== null && typeof v !== 'string' ? String(v) : v))
            .map(plain)
        )
        assert.ok(records.every(({ _odd }) => _odd === null))
      })
    )
  })

  it('gives odd records as far as they can be read, and leaves those beside them alone', async () => {
    const many = Array.from({ length: 300 }, (_, i) => `{"id": ${i}, "ok": true, "name": "n"}`)
    const odd = ['{"id": "none", "name": "x"}', '{broken', '7', '{"id": 1.5, "ok": null, "new": 1}']
    const records = (await read([...many, ...odd, '{"id": 2}'].join('\n'), 'a.ndjson')).slice(300)
    assert.deepEqual(records.map(withoutOwn), [
      { id: null, ok: null, name: 'x' },
      { id: null, ok: null, name: null },
      { id: null, ok: null, name: null },
      { id: 1.5, ok: null, name: null },
      { id: 2, ok: null, name: null }
    ])
    assert.deepEqual(
      records.map(({ _row, _odd }) => [Number(_row), _odd]),
      [
        [301, 'fields that no column is for, or that do not fit it: id'],
        [302, 'no object of JSON'],
        [303, 'no object of JSON'],
        [304, 'fields that no column is for, or that do not fit it: new'],
        [305, null]
      ]
    )
  })

  it('keeps large whole numbers as they are written, and takes types that hold all', async () => {
    const source = open(
      '[{"a": 1, "b": 1, "c": 1, "__proto__": 1}, {"a": 9007199254740993, "b": 1.5, "c": "x", "d": {"e": []}}]'
    )
    const { columns } = await streamOf(source)
    assert.deepEqual(
      columns.slice(0, 5).map(({ name, type }) => `${name} ${type}`),
      ['a bigint', 'b double', 'c text', '__proto__ double', 'd json']
    )
    const { records } = await recordsOf(source)
    assert.deepEqual(
      records.map(({ a, b, c, d }) => [a, b, c, d]),
      [
        [1n, 1, '1', null],
        [9007199254740993n, 1.5, 'x', '{"e":[]}']
      ]
    )
  })
})

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
