import { describe, it } from 'node:test'
import { checkSoundness } from '../testing/soundness.ts'

describe('Protobuf changes that do not break', () => {
  it('lose nothing of what was written, on real bytes', () => {
    checkSoundness(100)
  })
})
