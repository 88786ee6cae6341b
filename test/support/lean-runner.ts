// Loaded before node:test, which follows every promise with async hooks to know whose error is uncaught and which test is
// around another. That is up to a third of the time of a test; the context that async local storage keeps costs nothing.
import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire } from 'node:module'

interface Hooks {
  init(asyncId: number, type: string, triggerAsyncId: number, resource: object): void
}

const { AsyncResource, createHook, executionAsyncId, triggerAsyncId } = asyncHooks
const around = new AsyncLocalStorage<number>()
let runner: Hooks | undefined

/** Each test is a resource that is announced to the runner; work it starts is attributed to it. */
class TestResource extends AsyncResource {
  constructor(...args: ConstructorParameters<typeof AsyncResource>) {
    super(...args)
    runner?.init(this.asyncId(), args[0], triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    run: (this: This, ...args: never[]) => Result,
    thisArg?: This,
    ...args: never[]
  ): Result {
    const inside = () => around.run(this.asyncId(), () => Reflect.apply(run, thisArg as This, args))
    return super.runInAsyncScope(inside)
  }
}

Object.assign(asyncHooks, {
  AsyncResource: TestResource,
  createHook(hooks: Hooks) {
    runner = hooks
    return { enable() {}, disable() {} }
  },
  executionAsyncId: () => around.getStore() ?? executionAsyncId()
})
createRequire(import.meta.url)('node:test')
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId })
