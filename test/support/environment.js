// Jest testEnvironment: that of jest-environment-node with an ordinary global object. Jest puts an interceptor and a proxy in front of its
// own, so that each use of a global (`Math`, `Array`, `Number`) costs 200 ns there, fifty times as much as in the server.
import { TestEnvironment } from 'jest-environment-node';
import vm from 'node:vm';

export default class PlainEnvironment extends TestEnvironment {
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }
}
