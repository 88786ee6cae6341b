import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Effort } from '../effort.ts'
import { protobuf } from './index.ts'
import { compare, faultOf, modelOf, parseText } from './testing/parsing.ts'
import { checkAnyText } from './testing/properties.ts'
import { exampleOf, faultsIn } from './testing/values.ts'

const PROTO3 = 'syntax = "proto3";'
const DEEP = 10_000

describe('hostile Protobuf', () => {
  it('is not followed for ever inwards', () => {
    const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP)
    for (const text of [
      nested('message M {', '}'),
      `option a = ${nested('{ a: ', '}')};`,
      `option a = { ${nested('a <', '>')} };`,
      `option a = { b: ${nested('[', ']')} };`,
      nested('message M { optional group G = 1 {', '} }')
    ]) {
      assert.equal(faultOf(text).kind, 'too_complex')
    }
    const files = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, n) => [`${n}.proto`, `import "${n + 1}.proto";`])
    )
    assert.equal(faultOf('import "0.proto";', files).kind, 'too_complex')
  })

  it('is not read when it is too long, with all that it imports', () => {
    const long = `${PROTO3} // ${'x'.repeat(600_000)}`
    assert.equal(faultOf(long, { 'a.proto': long }).kind, 'too_complex')
    assert.equal(faultOf(`${' '.repeat(900_000)}x;`).kind, 'invalid')
    assert.equal(faultOf(`message ${'M'.repeat(5_000)} {}`).kind, 'invalid')
    const names = `message ${'M'.repeat(900)} {`.repeat(5) + '}'.repeat(5)
    assert.equal(faultOf(names).kind, 'too_complex')
  })

  it('is answered where it is only long', () => {
    const fields = Array.from({ length: 20_000 }, (_, n) => `string f${n} = ${n < 18_999 ? n + 1 : n + 1_001};`)
    const { model } = parseText(`${PROTO3} message M { ${fields.join('\n')} }`)
    assert.equal(model.file.messages[0]?.fields.size, fields.length)
    assert.equal(compare(model, modelOf(`${PROTO3} message M {}`)).length, fields.length)
  })

  it('costs effort, and no more than it is given', () => {
    const text = `${PROTO3} message M { ${Array.from({ length: 500 }, (_, n) => `M f${n} = ${n + 1};`).join(' ')} }`
    const poor = () => new Effort(100)
    assert.throws(() => protobuf.parse({ text, dependencies: [] }, poor()), { kind: 'too_complex' })
    const model = modelOf(text)
    assert.throws(() => protobuf.differences(model, modelOf(`${PROTO3} message M {}`), poor()), { kind: 'too_complex' })
    // Each message holds the next one twice: as a shape it would have 2^60 parts.
    const doubling = Array.from({ length: 60 }, (_, n) => `message M${n} { M${n + 1} a = 1; M${n + 1} b = 2; }`)
    const fanOut = modelOf(`${PROTO3} ${doubling.join(' ')} message M60 {}`)
    assert.throws(() => protobuf.toShape(fanOut, new Effort(10_000)), { kind: 'too_complex' })
    exampleOf(fanOut, 1)
  })

  it('values end somewhere too', () => {
    const model = modelOf(
      `${PROTO3} import "google/protobuf/struct.proto"; message M { M m = 1; google.protobuf.Value v = 2; }`
    )
    let [deep, free]: [object, unknown] = [{}, 1]
    for (let depth = 0; depth < DEEP; depth++) [deep, free] = [{ m: deep }, [free]]
    assert.throws(() => faultsIn(model, deep), { kind: 'too_complex' })
    assert.throws(() => faultsIn(model, { v: free }), { kind: 'too_complex' })
    assert.equal(faultsIn(model, Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, 1]))).length, 100)
  })

  it('of names that mean something in JavaScript is like any other', () => {
    const text = `${PROTO3} package constructor; message __proto__ { string __proto__ = 1; toString valueOf = 2; }
      message toString { hasOwnProperty constructor = 1 [prototype = 1]; } enum hasOwnProperty { __defineGetter__ = 0; }`
    assert.deepEqual(compare(modelOf(text), modelOf(text)), [])
    assert.match(faultOf(`${PROTO3} message M { constructor a = 1; }`).message, /not declared/)
    assert.equal(faultOf('import "__proto__";').kind, 'missing_reference')
  })

  it('is answered or refused, never anything else', () => {
    checkAnyText(500)
  })
})
