export { TestEnvironment as default } from 'jest-environment-node';
