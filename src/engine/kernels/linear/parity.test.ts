import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { linearCases } from './cases.ts';

parityTests(linearCases(), nodeDevices);
