import { missingKafkaMock, startKafkaMock } from '../../../../test/support/servers/kafka-mock.ts'
import { brokerContract } from '../testing/contract.ts'
import { CUT_PROXY_ADDRESS, startCutProxy } from '../testing/cut-proxy.ts'

brokerContract('Kafka', {
  kind: 'kafka',
  missing: missingKafkaMock(),
  lacks: { sizeLimit: 'the mock takes messages of any size' },
  async start(folder, user) {
    const server = await startKafkaMock(folder)
    const users = user && { passwords: { [user.user]: user.password } }
    const { port } = users === undefined ? server : await server.relay({ users })
    const proxy = await startCutProxy(port)
    return {
      host: server.host,
      port,
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
      return { address: CUT_PROXY_ADDRESS, family: 4 }
    }
  })
})
