import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../../../engines/objects/index.ts'
import { Problem } from '../../../errors.ts'
import { createGateway, type GatewayNeeds } from './gateway.ts'

const publication = { file: 'f', bucket: 'presses', key: 'k', contentType: 'text/csv' }

test('a fault of a bucket names it', async () => {
  const cases: [error: Error, message: string][] = [
    [new Problem('not_found'), 'There is no bucket presses'],
    [new StoreError('access_denied', 'The key may not write'), 'Bucket presses: The key may not write'],
    [new Error('connect ECONNREFUSED'), 'Bucket presses: connect ECONNREFUSED']
  ]
  for (const [error, message] of cases) {
    const openBucket = () => Promise.reject(error)
    const gateway = createGateway({ openBucket } as unknown as GatewayNeeds)
    await assert.rejects(gateway.publish(publication), { name: 'NodeFault', message })
    await assert.rejects(gateway.listObjects({ bucket: 'presses', prefix: '', after: undefined, limit: 1 } as never), {
      message
    })
  }
})
