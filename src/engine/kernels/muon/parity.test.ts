import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { muonCases } from './cases.ts';

parityTests(muonCases(), nodeDevices);
