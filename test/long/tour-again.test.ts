// Once: the commands of the README.
import { test } from 'node:test'
import { takeTours } from '../support/tour-server.ts'

test('the tour of the README works as written, and again', () => takeTours(['1001', '1002']))
