import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { normCases } from './cases.ts';

parityTests(normCases(), nodeDevices);
