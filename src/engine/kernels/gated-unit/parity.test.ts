import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { gatedUnitCases } from './cases.ts';

parityTests(gatedUnitCases(), nodeDevices);
