// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Attestation, DepositForm} from "contracts/Depositors.sol";
import {DepositTerms} from "contracts/SmartDepositAccount.sol";
import {Promises, SmartDepositAccountB} from "contracts/SmartDepositAccountB.sol";
import {AccountInputs, Part, Settlement, SettlementKind, SmartDepositFactoryB} from "contracts/SmartDepositFactoryB.sol";
import {ITransitStation, TransitQuote, TransitRoute} from "contracts/Transit.sol";
import {AccountantTerms} from "devnet/contracts/AccountantBase.sol";
import {AccountantWithRateProviders} from "devnet/contracts/AccountantWithRateProviders.sol";
import {DepositorTerms} from "devnet/contracts/AttestedDepositor.sol";
import {AttestationRegistry} from "devnet/contracts/AttestationRegistry.sol";
import {BoringVault} from "devnet/contracts/BoringVault.sol";
import {DistributorCodeDepositor} from "devnet/contracts/DistributorCodeDepositor.sol";
import {SimpleFeeModule} from "devnet/contracts/FeeModules.sol";
import {LayerZeroEndpoint} from "devnet/contracts/LayerZeroEndpoint.sol";
import {RolesAuthority} from "devnet/contracts/RolesAuthority.sol";
import {Teller} from "devnet/contracts/Teller.sol";
import {PlainToken} from "devnet/contracts/Tokens.sol";
import {TransitStation} from "devnet/contracts/TransitStation.sol";
import {WrappedNative} from "devnet/contracts/WrappedNative.sol";
import {Cheats} from "./Cheats.sol";

/**
 * A vault on chain HOME, a Transit station on chain AWAY, and the factory on both: forge has one state, and
 * only the chain id differs. All contracts but the factory are those of the local world.
 */
abstract contract World is Cheats {
    uint256 internal constant HOME = 1;
    uint256 internal constant AWAY = 4663;
    uint32 internal constant HOME_EID = 30101;
    uint32 internal constant AWAY_EID = 30416;
    uint256 internal constant SIGNER = 0x5161;
    uint256 internal constant DELAY = 1 days;
    uint256 internal constant TRANSIT_FEE_BPS = 50;
    uint256 internal constant MESSAGE_FEE = 1 ether;

    address internal constant owner = address(0x0E1);
    address internal constant guardian = address(0x6A1);
    address internal constant keeper = address(0x4EE);
    address internal constant recoveryWallet = address(0x4EC);
    address internal constant stranger = address(0x577);
    address internal constant destination = address(0xDE57);
    address internal constant transitVault = address(0x77A);
    address internal constant feeRecipient = address(0xFEE);
    /// A recipient of fees that only a hostile keeper asks for.
    address internal constant thief = address(0x741EF);

    SmartDepositFactoryB internal factory;
    RolesAuthority internal authority;
    BoringVault internal vault;
    DistributorCodeDepositor internal depositor;
    TransitStation internal station;
    /// Accepted by the vault.
    PlainToken internal dollar;
    /// Has a route to the dollar.
    PlainToken internal euro;
    /// Has none.
    PlainToken internal other;
    uint256 private payments;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        vm.chainId(HOME);
        authority = new RolesAuthority(address(this));
        dollar = new PlainToken("Dollar", "USD", 6, address(this));
        euro = new PlainToken("Euro", "EUR", 6, address(this));
        other = new PlainToken("Other", "OTH", 18, address(this));
        _openVault();
        _openStation();
        factory = new SmartDepositFactoryB(owner, guardian, _promises());
        vm.prank(owner);
        factory.setKeeper(keeper, true);
        vm.prank(owner);
        factory.setEndpoint(HOME, HOME_EID);
        vm.prank(owner);
        factory.setEndpoint(AWAY, AWAY_EID);
        vm.prank(owner);
        factory.setRoute(address(vault), address(depositor), DepositForm.ATTESTED);
        vm.deal(keeper, 1_000 ether);
    }

    function _promises() internal view returns (Promises memory) {
        return
            Promises(
                recoveryWallet,
                ITransitStation(address(station)),
                DELAY,
                TRANSIT_FEE_BPS
            );
    }

    function _openVault() private {
        vault = new BoringVault(address(this), authority, "Vault", "V", 6);
        AccountantWithRateProviders accountant = new AccountantWithRateProviders(
            address(this),
            authority,
            vault,
            address(dollar),
            AccountantTerms(feeRecipient, 1e6, 11_000, 9_000, 0, 0, 0)
        );
        Teller teller = new Teller(address(this), authority, accountant);
        teller.addDepositAsset(address(dollar));
        depositor = new DistributorCodeDepositor(
            address(this),
            authority,
            teller,
            DepositorTerms(
                WrappedNative(payable(address(0))),
                new SimpleFeeModule(10),
                feeRecipient,
                type(uint256).max,
                new AttestationRegistry(address(this), address(this)),
                ""
            )
        );
        authority.setRoleCapability(1, address(vault), BoringVault.enter.selector, true);
        authority.setUserRole(address(teller), 1, true);
        authority.setRoleCapability(2, address(teller), teller.deposit.selector, true);
        authority.setUserRole(address(depositor), 2, true);
        authority.setPublicCapability(address(depositor), depositor.deposit.selector, true);
    }

    function _openStation() private {
        vm.chainId(AWAY);
        station = new TransitStation(
            address(this),
            authority,
            new LayerZeroEndpoint(AWAY_EID, address(this)),
            vm.addr(SIGNER),
            transitVault
        );
        vm.chainId(HOME);
        authority.setPublicCapability(address(station), station.submitOrder.selector, true);
        station.setPeer(HOME_EID, bytes32(uint256(uint160(address(station)))));
        station.setMessageGasLimit(HOME_EID, 400_000);
        TransitStation.Route[] memory routes = new TransitStation.Route[](3);
        routes[0] = TransitStation.Route(HOME_EID, address(euro), address(dollar));
        routes[1] = TransitStation.Route(HOME_EID, address(dollar), address(dollar));
        routes[2] = TransitStation.Route(AWAY_EID, address(euro), address(dollar));
        bool[] memory approved = new bool[](3);
        (approved[0], approved[1], approved[2]) = (true, true, true);
        station.setRouteApprovals(routes, approved);
    }

    function inputsOf(address to) internal view returns (AccountInputs memory) {
        return AccountInputs(to, address(vault), address(dollar), HOME, bytes32(0));
    }

    function mint(PlainToken token, address to, uint256 amount) internal {
        address[] memory accounts = new address[](1);
        accounts[0] = to;
        token.mint(accounts, amount);
    }

    function nextPayment() internal returns (bytes32) {
        return keccak256(abi.encode("payment", ++payments));
    }

    function forwardOf(
        AccountInputs memory inputs,
        bytes32 payment,
        uint256 amount
    ) internal pure returns (Settlement memory) {
        DepositTerms memory terms = DepositTerms(
            amount,
            0,
            "causeway",
            Attestation("", 0, address(0), "")
        );
        return Settlement(inputs, payment, SettlementKind.FORWARD, abi.encode(terms));
    }

    function returnOf(
        SettlementKind kind,
        AccountInputs memory inputs,
        bytes32 payment,
        address token,
        uint256 amount
    ) internal pure returns (Settlement memory) {
        return Settlement(inputs, payment, kind, abi.encode(token, amount));
    }

    /// A quote that the account takes.
    function quoteFor(
        address account,
        PlainToken offered,
        uint256 amount
    ) internal view returns (TransitQuote memory) {
        TransitRoute memory route = TransitRoute(HOME_EID, address(offered), address(dollar));
        uint256 fee = (amount * TRANSIT_FEE_BPS) / 10_000;
        bytes32 salt = keccak256(abi.encode(account, amount, block.timestamp));
        return
            TransitQuote(route, amount, account, fee, 0, address(0), 0, block.timestamp + 60, salt);
    }

    function convertOf(
        AccountInputs memory inputs,
        bytes32 payment,
        TransitQuote memory quote
    ) internal view returns (Settlement memory) {
        bytes memory terms = abi.encode(quote, signatureOf(quote));
        return Settlement(inputs, payment, SettlementKind.CONVERT, terms);
    }

    function signatureOf(TransitQuote memory quote) internal view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("TransitStation"),
                keccak256("1"),
                AWAY,
                address(station)
            )
        );
        TransitStation.Quote memory same = abi.decode(abi.encode(quote), (TransitStation.Quote));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, station.hashQuote(same)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER, digest);
        return abi.encodePacked(r, s, v);
    }

    function partOf(Settlement memory settlement) internal pure returns (Part memory) {
        return Part(settlement, 0, 1_000_000);
    }
}
