import { vi } from 'vitest';

/*
 * Runs before each file of the unit tests. One process runs all of them, because starting a process for each file costs
 * more than the tests. Every file evaluates the modules of this repository again, so that no file sees the state or the
 * mocks of another one. Packages are evaluated once.
 */
vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.resetModules();
