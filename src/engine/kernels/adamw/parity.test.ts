import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { adamwCases } from './cases.ts';

parityTests(adamwCases(), nodeDevices);
