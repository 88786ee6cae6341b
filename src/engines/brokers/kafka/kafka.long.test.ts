import { missingKafkaMock, startKafkaMock } from '../../../../test/support/servers/kafka-mock.ts'
import { brokerContract } from '../testing/contract.ts'
import { type CutProxy, startCutProxy } from '../testing/cut-proxy.ts'

let proxy: CutProxy

brokerContract('Kafka', {
  kind: 'kafka',
  missing: missingKafkaMock(),
  lacks: { sizeLimit: 'the mock takes messages of any size', users: 'the mock knows no users' },
  async start(folder) {
    const server = await startKafkaMock(folder)
    proxy = await startCutProxy(server.port)
    return {
      host: server.host,
      port: server.port,
      async stop() {
        await proxy.cut()
        await server.stop()
      },
      kill: () => proxy.cut(),
      revive: () => proxy.mend()
    }
  },
  outbound: (outbound) => ({
    ...outbound,
    async resolve(host, port) {
      await outbound.resolve(host, port)
      return { address: proxy.address, family: 4 }
    }
  })
})
