import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { shiftCases } from './cases.ts';

parityTests(shiftCases(), nodeDevices);
