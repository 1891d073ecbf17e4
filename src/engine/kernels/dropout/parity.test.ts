import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { dropoutCases } from './cases.ts';

parityTests(dropoutCases(), nodeDevices);
