// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toBlocks } from './blocks.ts'
import { BYTE_ORDERS, decodeRegister, REGISTER_TYPES, type Register, TABLES, widthOf } from './registers.ts'

const anyRegister: fc.Arbitrary<Register> = fc.record({
  name: fc.string({ minLength: 1 }),
  table: fc.constantFrom(...TABLES),
  address: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 65_535 })),
  type: fc.constantFrom(...REGISTER_TYPES),
  order: fc.constantFrom(...BYTE_ORDERS),
  scale: fc.constant(1),
  length: fc.integer({ min: 1, max: 125 })
})

describe('registers', () => {
  it('have their bytes in any of the four orders', () => {
    const plain: Register = {
      name: 'a',
      table: 'input',
      address: 0,
      type: 'uint32',
      order: 'ABCD',
      scale: 1,
      length: 1
    }
    const lies = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    for (const order of BYTE_ORDERS) assert.equal(decodeRegister({ ...plain, order }, lies(order)), 0x41424344n, order)
    assert.equal(decodeRegister({ ...plain, type: 'text', order: 'BADC' }, lies('rPse s')), 'Press')
    assert.equal(decodeRegister({ ...plain, type: 'uint64', order: 'CDAB' }, lies('GHEFCDAB')), 0x4142434445464748n)
  })

  it('have numbers that come back whatever they are, and scaled ones as they would be written', () => {
    const plain: Register = { name: 'a', table: 'input', address: 0, type: 'int64', order: 'DCBA', scale: 1, length: 1 }
    const room = Buffer.alloc(8)
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.integer(), (large, small) => {
        room.writeBigInt64LE(large)
        assert.equal(decodeRegister(plain, room), large)
        room.writeInt32LE(small)
        const tenths = decodeRegister({ ...plain, type: 'int32', scale: 0.1 }, room.subarray(0, 4))
        assert.equal(tenths, small / 10)
      })
    )
  })

  it('are asked for in blocks that a device can answer, each once, without what is between them', () => {
    fc.assert(
      fc.property(fc.array(anyRegister, { maxLength: 60 }), (registers) => {
        const blocks = toBlocks(registers)
        assert.deepEqual(new Set(blocks.flatMap((block) => block.registers)), new Set(registers))
        assert.equal(blocks.flatMap((block) => block.registers).length, registers.length)
        for (const { table, address, count, registers: own } of blocks) {
          assert.ok(count <= (table === 'coil' || table === 'discrete' ? 2000 : 125))
          const covered = new Set(
            own.flatMap((each) => Array.from({ length: widthOf(each) }, (_, at) => each.address + at))
          )
          assert.deepEqual([covered.size, Math.min(...covered)], [count, address])
          assert.ok(own.every((each) => each.table === table))
        }
      })
    )
  })
})
