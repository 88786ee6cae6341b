import { missingKafkaMock, startKafkaMock } from '../../../../../test/support/servers/kafka-mock.ts'
import { CUT_PROXY_ADDRESS, startCutProxy } from '../../../../engines/brokers/testing/cut-proxy.ts'
import { messagesSuite } from '../../testing/messages-suite.ts'

messagesSuite('Kafka', {
  kind: 'kafka',
  missing: missingKafkaMock(),
  hasPositions: true,
  async start(folder) {
    const server = await startKafkaMock(folder)
    const proxy = await startCutProxy(server.port)
    return {
      host: server.host,
      port: server.port,
      away: () => proxy.cut(),
      back: () => proxy.mend(),
      async stop() {
        await proxy.cut()
        await server.stop()
      }
    }
  },
  source: () => ({ from: 'earliest' }),
  outbound: (outbound) => ({
    ...outbound,
    async resolve(host, port) {
      await outbound.resolve(host, port)
      return { address: CUT_PROXY_ADDRESS, family: 4 }
    }
  })
})
