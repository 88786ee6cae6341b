import { describe, it } from 'node:test'
import { fixSeed } from '../../../../test/support/fixed-seed.ts'
import { tries } from '../../../../test/support/thorough.ts'
import {
  checkAnyShape,
  checkAnyText,
  checkBothSides,
  checkCanonical,
  checkSoundness,
  checkThereAndBack,
  checkVerdicts
} from './testing/properties.ts'

fixSeed()

describe('what holds for Protobuf, many times over', () => {
  it('changes that do not break lose nothing of what was written, on real bytes', () => {
    checkSoundness(tries(5_000, 20_000))
  })

  it('differences are at the same paths from both sides', () => {
    checkBothSides(tries(1_250, 5_000))
  })

  it('the canonical text is the same exactly where nothing is different', () => {
    checkCanonical(tries(1_250, 5_000))
  })

  it('values are judged like protobufjs does', () => {
    checkVerdicts(tries(1_250, 5_000))
  })

  it('any text is answered or refused', () => {
    checkAnyText(tries(12_500, 50_000))
  })

  it('shapes lead there and back, and are schemas whatever they are', () => {
    checkThereAndBack(tries(1_250, 5_000))
    checkAnyShape(tries(1_250, 5_000))
  })
})
