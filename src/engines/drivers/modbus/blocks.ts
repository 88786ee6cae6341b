import { isBits, type Register, type Table, widthOf } from './registers.ts'

/** What one answer of the protocol can hold. */
const MAX_BITS = 2000
const MAX_REGISTERS = 125

/** Values that lie next to each other and are asked for at once. */
export interface Block {
  readonly table: Table
  readonly address: number
  readonly count: number
  readonly registers: readonly Register[]
}

/**
 * Few questions for many values: those that touch are one block. Gaps are not read over, since many devices refuse a block with
 * an address in it that they do not have.
 */
export function toBlocks(registers: readonly Register[]): Block[] {
  const sorted = registers.toSorted((a, b) => compareText(a.table, b.table) || a.address - b.address)
  const blocks: Block[] = []
  for (const register of sorted) {
    const joined = join(blocks.at(-1), register)
    if (joined === undefined) blocks.push(blockOf(register))
    else blocks[blocks.length - 1] = joined
  }
  return blocks
}

export const blockOf = (register: Register): Block => ({
  table: register.table,
  address: register.address,
  count: widthOf(register),
  registers: [register]
})

function join(block: Block | undefined, register: Register): Block | undefined {
  if (block === undefined || block.table !== register.table || register.address > block.address + block.count) return
  const end = Math.max(block.address + block.count, register.address + widthOf(register))
  const count = end - block.address
  if (count > (isBits(block.table) ? MAX_BITS : MAX_REGISTERS)) return
  return { ...block, count, registers: [...block.registers, register] }
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
