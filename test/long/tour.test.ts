// Once: the commands of the README.
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { takeTours } from '../support/tour-server.ts'

const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'

describe('the README', () => {
  it('has a tour that works as written', { skip }, () => takeTours(['1001']))
})
