import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Parser } from './index.ts'
import { CASES_NOW_MS, LINE_CASES, type LineCase } from './line-protocol.cases.ts'
import { PointBatch } from './points.ts'
import { MemoryTags, readable } from './testing/readable.ts'

/** One source that lines are written to. */
function source(maxTags?: number) {
  const registry = new MemoryTags(maxTags)
  const parser = new Parser(registry)
  const parse = (body: string | Buffer, precision: LineCase[2] = 'ns') => {
    const out = new PointBatch()
    const request = { format: 'line', precision, nowMs: CASES_NOW_MS, body: Buffer.from(body) } as const
    return { ...parser.parse(request, out), points: readable(out, registry) }
  }
  return { registry, parser, parse }
}

function outcome([, expected]: LineCase) {
  if (typeof expected === 'string') return { accepted: 0, rejected: 1, codes: [expected], points: [] }
  return { accepted: expected.length > 0 ? 1 : 0, rejected: 0, codes: [], points: expected }
}

test('there are enough cases, each once', () => {
  assert.ok(LINE_CASES.length >= 130)
  assert.equal(
    new Set(LINE_CASES.map(([line, , precision]) => `${line.toString('latin1')}|${precision}`)).size,
    LINE_CASES.length
  )
})

test('each case gives its points or its refusal, at first and when its tags are known', () => {
  for (const lineCase of LINE_CASES) {
    const [line, , precision] = lineCase
    const { parse } = source()
    for (const pass of ['first', 'again']) {
      const { accepted, rejected, errors, points } = parse(line, precision)
      const codes = errors.map(({ code }) => code)
      const name = `${pass}: ${line.toString().slice(0, 80)} ${errors[0]?.message}`
      assert.deepEqual({ accepted, rejected, codes, points }, outcome(lineCase), name)
    }
  }
})

test('whatever a line is, the lines around it are read, and it is refused by its own number', () => {
  for (const lineCase of LINE_CASES) {
    const [line, , precision = 'ns'] = lineCase
    const { parse } = source()
    const body = Buffer.concat([Buffer.from('before x=1 0\n'), Buffer.from(line), Buffer.from('\nafter x=2 0')])
    for (const pass of ['first', 'again']) {
      const expected = outcome(lineCase)
      const read = parse(body, precision)
      const name = `${pass}: ${line.toString().slice(0, 80)}`
      assert.deepEqual(read.points, ['before.x float 1 @0', ...expected.points, 'after.x float 2 @0'], name)
      assert.equal(read.accepted, 2 + expected.accepted, name)
      assert.deepEqual(
        read.errors.map(({ line }) => line),
        expected.codes.map(() => 2),
        name
      )
    }
  }
})

test('lines are counted with those that are blank, comments, or inside a text', () => {
  const { parse } = source()
  const { errors, accepted } = parse('# c\n\ns v="1\n2\n3" 5\nbad\r\n\r\ns v="x" 6\nbad')
  assert.deepEqual([accepted, errors.map(({ line }) => line)], [2, [6, 9]])
})

test('a text that is never closed takes the rest of the body with it', () => {
  const { parse } = source()
  const { accepted, rejected, errors } = parse('a v=1 5\ns v="x\na v=2 6\na v=3 7\n')
  assert.deepEqual([accepted, rejected, errors.map(({ line, code }) => [line, code])], [1, 1, [[2, 'invalid_field']]])
})

test('a line is refused as a whole', () => {
  const { parse } = source()
  parse('m a=1,b=1 5')
  const { points, rejected } = parse('m a=2,b=2i 6\nm a=3,b=3 x\nm a=4,c="text",b=x 7\nm a=5,b=5 8')
  assert.deepEqual([points, rejected], [['m.a float 5 @8', 'm.b float 5 @8'], 3])
})

test('the first type of a tag is its type', () => {
  const values = { float: '5.5', integer: '5i', unsigned: '5u', boolean: 't', string: '"5"' }
  for (const [type, first] of Object.entries(values)) {
    const { parse } = source()
    parse(`cpu v=${first} 1`)
    for (const [other, value] of Object.entries(values)) {
      const { points, errors } = parse(`cpu v=${value} 2`)
      if (other === type) assert.equal(points.length, 1)
      else
        assert.match(
          `${points.length} ${errors[0]?.code} ${errors[0]?.message}`,
          new RegExp(`^0 type_conflict tag cpu.v is ${type};`)
        )
    }
  }
})

test('messages say what is wrong, where, and what to do', () => {
  const { parse } = source()
  parse('cpu usage=1.5 5')
  const message = (line: string) => parse(line).errors[0]?.message
  assert.equal(
    message('cpu usage=5i 5'),
    'tag cpu.usage is float; this line has an integer: write 5.0 or 5, without i or u (column 5)'
  )
  assert.equal(
    message('größe v=zwei 5'),
    'the value is neither a number nor true, false or a text in double quotes: zwei (column 9)'
  )
  assert.equal(message('cpu,host usage=1 5'), 'the label has no equals sign and value: host (column 5)')
  assert.equal(message('cpu usage=1 5x'), 'the time must be one whole number and end the line: 5x (column 13)')
})

test('no message repeats more than 60 characters of what was sent', () => {
  const long = '\u{1F600}ä'.repeat(300)
  for (const line of [
    `a v=${long} 5`,
    `a,${long} v=1 5`,
    `a ${long} 5`,
    `a v=1 ${long}`,
    `a v="x"${long} 5`,
    `${long} v=1 5`
  ]) {
    const { parse } = source(0)
    const message = parse(line).errors[0]?.message ?? ''
    assert.ok([...message.replaceAll(/[^\u{1F600}ä]/gu, '')].length < 60, message)
    assert.ok(message.isWellFormed())
  }
})

test('a source with all its tags takes points of those and refuses others', () => {
  const { parse } = source(1)
  const { points, errors } = parse('a v=1 5\nb v=1 5\na v=2 6')
  assert.deepEqual(points, ['a.v float 1 @5', 'a.v float 2 @6'])
  assert.deepEqual(
    errors.map(({ line, code }) => [line, code]),
    [[2, 'too_many_tags']]
  )
})

test('labels are told to the registry as they are, whatever they are called', () => {
  const { registry, parse } = source()
  parse('cpu,__proto__=a\\,b,constructor=c v=1 5')
  assert.deepEqual(Object.entries(registry.tags[0]?.labels ?? {}), [
    ['__proto__', 'a,b'],
    ['constructor', 'c']
  ])
})

test('of many refusals the first are told and all are counted', () => {
  const { parse } = source()
  const { rejected, accepted, errors } = parse('bad\na v=1 5\n'.repeat(500))
  assert.deepEqual([accepted, rejected, errors.length, errors.at(-1)?.line], [500, 500, 100, 199])
})

test('what is known is forgotten when told so', () => {
  const { registry, parser, parse } = source()
  parse('a v=1 5')
  registry.resolve = () => ({ id: 0, type: 'integer' })
  assert.equal(parse('a v=1 5').rejected, 0)
  parser.forget()
  assert.equal(parse('a v=1 5').errors[0]?.code, 'type_conflict')
})
