/** Compares two versions of a contract from the side of its callers, and judges the step of the version. */
export { compareContracts } from './contract.ts';
export { child, parseProtocol, parseRevision, type Revision, revisionIn, revisionOf } from './document.ts';
export { bySeverity, type Finding, largerBump, levels, nobody, type Reach } from './finding.ts';
export { htmlReport } from './html-report.ts';
export { githubReport, junitReport } from './machine-report.ts';
export { operationsOf } from './operations.ts';
export { compareProtocols } from './protocol.ts';
export { jsonReport, markdownReport, type Report, textReport } from './report.ts';
export { type Bump, type Level, rules } from './rules.ts';
export { contractPath, protocolPath, Sources } from './source.ts';
export { checkVersion, type VersionCheck } from './version.ts';
export { applyWaivers, parseWaivers, waivedIn, waiversPath, withWaivedSteps } from './waivers.ts';
