// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositForm} from "contracts/Depositors.sol";
import {DepositTerms} from "contracts/SmartDepositAccount.sol";
import {Promises, SmartDepositAccountB} from "contracts/SmartDepositAccountB.sol";
import {AccountInputs, Part, Settlement, SettlementKind, SmartDepositFactoryB} from "contracts/SmartDepositFactoryB.sol";
import {SmartDepositRoles} from "contracts/SmartDepositRoles.sol";
import {SmartDepositTimelock} from "contracts/SmartDepositTimelock.sol";
import {ITransitStation, TransitQuote} from "contracts/Transit.sol";
import {TransitStation} from "devnet/contracts/TransitStation.sol";
import {CallingDestination, CallingToken, FalseDepositor, FalseTeller, GivingDestination, GreedyToken, SparingStation} from "./Foes.sol";
import {Vm} from "./Cheats.sol";
import {World} from "./World.sol";

contract SmartDepositFactoryBTest is World {
    uint256 private constant AMOUNT = 100e6;
    address private constant NATIVE = address(0);
    AccountInputs private inputs;
    address private account;

    function setUp() public override {
        super.setUp();
        inputs = inputsOf(destination);
        account = factory.accountOf(inputs);
    }

    // Addresses

    /// The proxy of deterministic deployment gives the same factory and the same accounts on every chain.
    function test_theAddressIsTheSameOnEveryChain() public {
        address proxy = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
        bytes memory args = abi.encode(owner, guardian, _promises());
        bytes memory code = abi.encodePacked(type(SmartDepositFactoryB).creationCode, args);
        (bool isDone, bytes memory answer) = proxy.call(abi.encodePacked(bytes32(0), code));
        assertTrue(isDone, "deployed");
        bytes32 hash = keccak256(abi.encodePacked(hex"ff", proxy, bytes32(0), keccak256(code)));
        address expected = address(uint160(uint256(hash)));
        assertEq(address(bytes20(answer)), expected, "the factory's address");
        SmartDepositFactoryB deployed = SmartDepositFactoryB(payable(expected));
        address home = deployed.accountOf(inputs);
        vm.chainId(AWAY);
        assertEq(deployed.accountOf(inputs), home, "the account's address");
        assertEq(deployed.owner(), owner, "the owner, not the proxy");
    }

    function testFuzz_eachInputChangesTheAddress(AccountInputs memory one, uint8 which) public view {
        AccountInputs memory two = abi.decode(abi.encode(one), (AccountInputs));
        if (which % 5 == 0) two.destination = address(uint160(one.destination) ^ 1);
        else if (which % 5 == 1) two.vault = address(uint160(one.vault) ^ 1);
        else if (which % 5 == 2) two.inputToken = address(uint160(one.inputToken) ^ 1);
        else if (which % 5 == 3) two.chainId = one.chainId ^ 1;
        else two.customer = one.customer ^ bytes32(uint256(1));
        assertTrue(factory.accountOf(one) != factory.accountOf(two), "two addresses");
        assertEq(factory.accountOf(one), factory.accountOf(one), "one address");
    }

    function test_termsAreInTheCode() public {
        mint(dollar, account, AMOUNT);
        _settle(_refund(address(dollar), AMOUNT));
        (address to, address of_, address token, uint256 chainId) = SmartDepositAccountB(
            payable(account)
        ).terms();
        assertEq(to, destination, "destination");
        assertEq(of_, address(vault), "vault");
        assertEq(token, address(dollar), "token");
        assertEq(chainId, HOME, "chain");
    }

    function test_promisesHaveBounds() public {
        for (uint256 i; i < 4; ++i) {
            Promises memory promises = _promises();
            if (i == 0) promises.recoveryWallet = address(0);
            if (i == 1) promises.withdrawalDelay = 1 hours - 1;
            if (i == 2) promises.withdrawalDelay = 30 days + 1;
            if (i == 3) promises.maxTransitFeeBps = 1_001;
            vm.expectRevert(abi.encodeWithSelector(SmartDepositFactoryB.BadPromises.selector));
            new SmartDepositFactoryB(owner, guardian, promises);
        }
    }

    // Settlements

    function test_forward() public {
        mint(dollar, account, AMOUNT);
        _settle(forwardOf(inputs, nextPayment(), AMOUNT));
        assertEq(dollar.balanceOf(account), 0, "nothing stays");
        assertEq(vault.balanceOf(destination), AMOUNT - AMOUNT / 1_000, "shares, less the fee");
        assertEq(dollar.allowance(account, address(depositor)), 0, "no allowance stays");
    }

    function test_forwardOnlyOnTheVaultsChain() public {
        mint(dollar, account, AMOUNT);
        vm.chainId(AWAY);
        _refused(
            forwardOf(inputs, nextPayment(), AMOUNT),
            abi.encodeWithSelector(SmartDepositAccountB.OtherChain.selector, HOME)
        );
    }

    /// Whatever a contract says of itself, the vault's own authority must know it.
    function test_onlyTheVaultsOwnDepositorIsARoute() public {
        address teller = address(depositor.teller());
        FalseDepositor foe = new FalseDepositor(address(vault), teller);
        _refusedRoute(address(foe));
        // What everybody may call is no role.
        authority.setPublicCapability(teller, depositor.teller().deposit.selector, true);
        _refusedRoute(address(foe));
        // A teller of its own, whose authority says yes to everything.
        foe.setTeller(address(foe));
        _refusedRoute(address(foe));
        foe.setTeller(teller);
        authority.setUserRole(address(foe), 2, true);
        _setRoute(address(foe));
        (address route, ) = factory.routeOf(address(vault));
        assertEq(route, address(foe), "the vault's owner made it a depositor");
    }

    /// The vault took its role after the route was set.
    function test_aFormerDepositorIsNoRoute() public {
        mint(dollar, account, AMOUNT);
        authority.setUserRole(address(depositor), 2, false);
        _refused(
            forwardOf(inputs, nextPayment(), AMOUNT),
            abi.encodeWithSelector(
                SmartDepositRoles.NotDepositorOf.selector,
                address(depositor),
                address(vault)
            )
        );
    }

    /// Another vault's teller does not mint this vault's shares.
    function test_theTellerIsOfTheVault() public {
        FalseDepositor foe = new FalseDepositor(address(vault), address(0));
        FalseTeller teller = new FalseTeller(address(authority));
        foe.setTeller(address(teller));
        authority.setUserRole(address(teller), 1, true);
        authority.setUserRole(address(foe), 2, true);
        authority.setRoleCapability(2, address(teller), depositor.teller().deposit.selector, true);
        _refusedRoute(address(foe));
        teller.setVault(address(vault));
        _setRoute(address(foe));
    }

    /// A faulty depositor that mints less than it should, or nothing.
    function test_forwardNeedsItsShares() public {
        mint(dollar, account, 2 * AMOUNT);
        _settle(forwardOf(inputs, nextPayment(), AMOUNT));
        Settlement memory one = forwardOf(inputs, nextPayment(), AMOUNT);
        DepositTerms memory terms = abi.decode(one.terms, (DepositTerms));
        terms.minimumMint = AMOUNT;
        one.terms = abi.encode(terms);
        vm.prank(keeper);
        vm.expectRevert();
        factory.settle(one);
        FalseDepositor foe = new FalseDepositor(address(vault), address(depositor.teller()));
        authority.setUserRole(address(foe), 2, true);
        _setRoute(address(foe));
        _refusedWith(
            forwardOf(inputs, nextPayment(), AMOUNT),
            SmartDepositAccountB.TooFewShares.selector
        );
        // Some shares of its own, to pass for a deposit.
        foe.setShares(AMOUNT / 100);
        vm.prank(destination);
        vault.transfer(address(foe), AMOUNT / 100);
        one = forwardOf(inputs, nextPayment(), AMOUNT);
        terms.minimumMint = AMOUNT / 100 + 1;
        one.terms = abi.encode(terms);
        _refusedWith(one, SmartDepositAccountB.TooFewShares.selector);
        terms.minimumMint = AMOUNT / 100;
        one.terms = abi.encode(terms);
        _settle(one);
    }

    /// The factory would hand the coins to its keeper, and keep the tokens.
    function test_theFactoryAndNobodyAreNoDestinations() public {
        address[2] memory bad = [address(0), address(factory)];
        for (uint256 i; i < bad.length; ++i) {
            AccountInputs memory its = inputsOf(bad[i]);
            vm.deal(factory.accountOf(its), 1 ether);
            _refused(
                returnOf(SettlementKind.REFUND, its, nextPayment(), NATIVE, 1 ether),
                abi.encodeWithSelector(SmartDepositFactoryB.BadDestination.selector, bad[i])
            );
        }
    }

    /// A keeper that takes no coins, and a destination that sends one to the factory while it is paid.
    function test_coinsOfOthersStopNoKeeper() public {
        GivingDestination giver = new GivingDestination(address(factory));
        AccountInputs memory its = inputsOf(address(giver));
        vm.deal(factory.accountOf(its), 2);
        vm.prank(owner);
        factory.setKeeper(address(this), true);
        factory.settle(returnOf(SettlementKind.REFUND, its, nextPayment(), NATIVE, 1));
        assertEq(address(factory).balance, 1, "the factory has it");
        mint(dollar, account, AMOUNT);
        factory.settle(_refund(address(dollar), AMOUNT));
    }

    function test_refundAndRecoverAnyTokenOnAnyChain() public {
        uint256[2] memory chains = [HOME, AWAY];
        for (uint256 i; i < chains.length; ++i) {
            vm.chainId(chains[i]);
            mint(other, account, 2 * AMOUNT);
            vm.deal(account, 2 ether);
            _settle(_refund(address(other), AMOUNT));
            _settle(_refund(NATIVE, 1 ether));
            _settle(_recover(address(other), AMOUNT));
            _settle(_recover(NATIVE, 1 ether));
        }
        assertEq(other.balanceOf(destination), 2 * AMOUNT, "refunded");
        assertEq(destination.balance, 2 ether, "coins refunded");
        assertEq(other.balanceOf(recoveryWallet), 2 * AMOUNT, "recovered");
        assertEq(recoveryWallet.balance, 2 ether, "coins recovered");
    }

    function test_aPaymentIsSettledOnce() public {
        mint(dollar, account, 3 * AMOUNT);
        bytes32 payment = nextPayment();
        _settle(forwardOf(inputs, payment, AMOUNT));
        bytes memory reason = abi.encodeWithSelector(
            SmartDepositFactoryB.AlreadySettled.selector,
            payment
        );
        _refused(forwardOf(inputs, payment, AMOUNT), reason);
        _refused(
            returnOf(SettlementKind.REFUND, inputs, payment, address(dollar), AMOUNT),
            reason
        );
    }

    function test_nothingIsNoAmount() public {
        bytes memory reason = abi.encodeWithSelector(SmartDepositFactoryB.ZeroAmount.selector);
        _refused(forwardOf(inputs, nextPayment(), 0), reason);
        _refused(_refund(address(dollar), 0), reason);
        _refused(convertOf(inputs, nextPayment(), quoteFor(account, euro, 0)), reason);
    }

    // Conversions

    function test_convert() public {
        vm.chainId(AWAY);
        mint(euro, account, AMOUNT);
        uint256 coins = keeper.balance;
        Settlement memory one = convertOf(inputs, nextPayment(), quoteFor(account, euro, AMOUNT));
        vm.prank(keeper);
        factory.settle{value: MESSAGE_FEE}(one);
        assertEq(euro.balanceOf(account), 0, "all is offered");
        assertEq(euro.balanceOf(transitVault), AMOUNT, "and with Transit");
        assertEq(euro.allowance(account, address(station)), 0, "no allowance stays");
        assertTrue(coins - keeper.balance < 0.01 ether, "the excess is the keeper's again");
        assertEq(account.balance + address(factory).balance, 0, "no coins stay");
    }

    /// Coins that were at the account before are not the keeper's.
    function testFuzz_convertReturnsOnlyItsOwnCoins(uint96 before) public {
        vm.chainId(AWAY);
        mint(euro, account, AMOUNT);
        vm.deal(account, before);
        Settlement memory one = convertOf(inputs, nextPayment(), quoteFor(account, euro, AMOUNT));
        vm.prank(keeper);
        factory.settle{value: MESSAGE_FEE}(one);
        assertEq(account.balance, before, "the user's coins");
    }

    /// What a station does not take cannot be taken later.
    function test_convertLeavesNoAllowance() public {
        Promises memory promises = _promises();
        promises.station = ITransitStation(address(new SparingStation()));
        SmartDepositFactoryB its = new SmartDepositFactoryB(owner, guardian, promises);
        vm.prank(owner);
        its.setEndpoint(HOME, HOME_EID);
        vm.chainId(AWAY);
        address place = its.accountOf(inputs);
        mint(euro, place, AMOUNT);
        Settlement memory one = convertOf(inputs, nextPayment(), quoteFor(place, euro, AMOUNT));
        vm.prank(owner);
        its.settle(one);
        assertEq(euro.balanceOf(place), AMOUNT / 2, "the half that it did not take");
        assertEq(euro.allowance(place, address(promises.station)), 0, "no allowance stays");
    }

    function test_convertWithinOneChain() public {
        vm.chainId(AWAY);
        AccountInputs memory here = AccountInputs(
            destination,
            address(vault),
            address(dollar),
            AWAY,
            bytes32(0)
        );
        address place = factory.accountOf(here);
        mint(euro, place, AMOUNT);
        TransitQuote memory quote = quoteFor(place, euro, AMOUNT);
        quote.route.destEID = AWAY_EID;
        _settle(convertOf(here, nextPayment(), quote));
        (TransitStation.OrderTerms memory terms, uint256 due, ) = station.pendingOrders(
            station.getPendingOrderIds()[0]
        );
        assertEq(terms.receiver, place, "the order pays the account");
        assertEq(due, AMOUNT - quote.protocolFee, "the amount, less the fee");
    }

    /// Each field of a quote that could send funds elsewhere, signed by the true signer.
    function test_convertTakesNoOtherQuote() public {
        vm.chainId(AWAY);
        mint(euro, account, AMOUNT);
        for (uint256 i; i < 5; ++i) {
            TransitQuote memory quote = quoteFor(account, euro, AMOUNT);
            bytes4 reason = SmartDepositAccountB.OtherRoute.selector;
            if (i == 0) (quote.receiver, reason) = (stranger, SmartDepositAccountB.OtherReceiver.selector);
            if (i == 1) quote.route.wantAsset = address(other);
            if (i == 2) quote.route.destEID = AWAY_EID;
            if (i == 3) {
                (quote.integratorFee, quote.integratorFeeReceiver) = (1, thief);
                reason = SmartDepositAccountB.FeeTooHigh.selector;
            }
            if (i == 4) {
                quote.protocolFee += 1;
                reason = SmartDepositAccountB.FeeTooHigh.selector;
            }
            _refusedWith(convertOf(inputs, nextPayment(), quote), reason);
        }
        assertEq(euro.balanceOf(account), AMOUNT, "nothing moved");
    }

    /// At home the accepted token is deposited. Sent in circles, each round would cost a fee.
    function test_convertDoesNotSendHomeWhatIsHome() public {
        mint(dollar, account, AMOUNT);
        _refusedWith(
            convertOf(inputs, nextPayment(), quoteFor(account, dollar, AMOUNT)),
            SmartDepositAccountB.OtherRoute.selector
        );
    }

    function test_convertOnlyToAKnownEndpoint() public {
        vm.prank(owner);
        factory.setEndpoint(HOME, 0);
        vm.chainId(AWAY);
        mint(euro, account, AMOUNT);
        _refused(
            convertOf(inputs, nextPayment(), quoteFor(account, euro, AMOUNT)),
            abi.encodeWithSelector(SmartDepositFactoryB.NoEndpoint.selector, HOME)
        );
    }

    /// A station that refuses (here: paused, or its signer changed) leaves no allowance and no mark.
    function test_convertSurvivesARefusal() public {
        vm.chainId(AWAY);
        mint(euro, account, AMOUNT);
        bytes32 payment = nextPayment();
        Settlement memory one = convertOf(inputs, payment, quoteFor(account, euro, AMOUNT));
        station.setQuoteSigner(stranger);
        Part[] memory parts = new Part[](1);
        parts[0] = Part(one, MESSAGE_FEE, 1_000_000);
        uint256 coins = keeper.balance;
        vm.prank(keeper);
        factory.settleMany{value: MESSAGE_FEE}(parts);
        assertEq(euro.allowance(account, address(station)), 0, "no allowance");
        assertEq(keeper.balance, coins, "the coins are back");
        assertTrue(!factory.isSettled(payment), "not settled");
        station.setQuoteSigner(vm.addr(SIGNER));
        vm.prank(keeper);
        factory.settle{value: MESSAGE_FEE}(one);
        assertTrue(factory.isSettled(payment), "settled by the next try");
    }

    // Batches

    function test_aFailingPartFailsAlone() public {
        GreedyToken greedy = new GreedyToken();
        Part[] memory parts = new Part[](5);
        mint(dollar, account, 2 * AMOUNT);
        parts[0] = partOf(_refund(address(greedy), 1));
        parts[1] = partOf(forwardOf(inputs, nextPayment(), AMOUNT));
        parts[2] = partOf(forwardOf(inputs, nextPayment(), AMOUNT * 5));
        parts[3] = partOf(_refund(address(dollar), AMOUNT));
        // The same payment as the part before.
        parts[4] = partOf(parts[3].settlement);
        vm.recordLogs();
        vm.prank(keeper);
        factory.settleMany(parts);
        assertEq(_failures(), 3, "failures");
        assertEq(vault.balanceOf(destination), AMOUNT - AMOUNT / 1_000, "forwarded");
        assertEq(dollar.balanceOf(destination), AMOUNT, "refunded once");
        assertTrue(!factory.isSettled(parts[0].settlement.payment), "not the greedy one");
        assertTrue(!factory.isSettled(parts[2].settlement.payment), "not the too large one");
    }

    /// Whatever a token answers, a part costs no more than its limit and the little that the batch itself needs.
    function test_aLoudErrorIsNotCopied() public {
        GreedyToken greedy = new GreedyToken();
        greedy.setLoud(true);
        Part[] memory parts = new Part[](1);
        parts[0] = partOf(_refund(address(greedy), 1));
        parts[0].gasLimit = 800_000;
        vm.prank(keeper);
        uint256 before = gasleft();
        factory.settleMany(parts);
        assertTrue(before - gasleft() < 850_000, "the part's limit and the batch's own");
    }

    /// Otherwise a keeper with too little gas would see parts fail that are fine.
    function test_aPartGetsTheGasThatItWasPromised() public {
        Part[] memory parts = new Part[](1);
        mint(dollar, account, AMOUNT);
        parts[0] = partOf(_refund(address(dollar), AMOUNT));
        vm.prank(keeper);
        try factory.settleMany{gas: 900_000}(parts) {
            revert("with too little gas");
        } catch (bytes memory reason) {
            assertTrue(
                selectorOf(reason) == SmartDepositFactoryB.TooLittleGas.selector,
                "TooLittleGas"
            );
        }
    }

    /// A part that burns what it did not need in the estimate undoes nothing.
    function test_aBatchThatLacksGasKeepsWhatItSettled() public {
        GreedyToken greedy = new GreedyToken();
        Part[] memory parts = new Part[](4);
        mint(dollar, account, 3 * AMOUNT);
        parts[0] = partOf(_refund(address(dollar), AMOUNT));
        parts[1] = partOf(_refund(address(greedy), 1));
        parts[2] = partOf(_refund(address(dollar), AMOUNT));
        parts[3] = partOf(_refund(address(dollar), AMOUNT));
        vm.recordLogs();
        vm.prank(keeper);
        factory.settleMany{gas: 2_000_000}(parts);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        Vm.Log memory last = logs[logs.length - 1];
        assertTrue(last.topics[0] == SmartDepositFactoryB.BatchStopped.selector, "stopped");
        assertEq(abi.decode(last.data, (uint256)), 2, "before the third part");
        assertEq(dollar.balanceOf(destination), AMOUNT, "the first stays");
        assertTrue(!factory.isSettled(parts[2].settlement.payment), "the third may be tried again");
    }

    function testFuzz_settleManySettlesEachPaymentOnce(uint8[12] memory picks) public {
        bytes32[4] memory ids = [nextPayment(), nextPayment(), nextPayment(), nextPayment()];
        Part[] memory parts = new Part[](12);
        mint(dollar, account, 12 * AMOUNT);
        bool[4] memory isUsed;
        uint256 used;
        for (uint256 i; i < 12; ++i) {
            uint256 pick = picks[i] % 4;
            if (!isUsed[pick]) used += 1;
            isUsed[pick] = true;
            parts[i] = partOf(
                returnOf(SettlementKind.REFUND, inputs, ids[pick], address(dollar), AMOUNT)
            );
        }
        vm.recordLogs();
        vm.prank(keeper);
        factory.settleMany(parts);
        assertEq(dollar.balanceOf(destination), used * AMOUNT, "each once");
        assertEq(_failures(), 12 - used, "the others failed");
    }

    function test_onlyABatchCallsItsPart() public {
        vm.prank(keeper);
        vm.expectRevert(
            abi.encodeWithSelector(SmartDepositFactoryB.NotSelf.selector, keeper)
        );
        factory.settlePart(_refund(address(dollar), 1));
    }

    // Withdrawals

    function test_theDestinationTakesEverythingAfterItsDelay() public {
        mint(other, account, AMOUNT);
        vm.deal(account, 1 ether);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        vm.warp(block.timestamp + DELAY);
        // What came after the request too.
        mint(other, account, AMOUNT);
        _withdraw(address(other));
        _withdraw(NATIVE);
        assertEq(other.balanceOf(destination), 2 * AMOUNT, "the token");
        assertEq(destination.balance, 1 ether, "the coins");
    }

    function testFuzz_notBeforeTheDelayAndNotAfterTheWindow(uint32 wait) public {
        _requestAndTry(wait % (DELAY + factory.WITHDRAWAL_WINDOW() + 1 days));
    }

    function test_theEdgesOfTheWindow() public {
        uint256 end = DELAY + factory.WITHDRAWAL_WINDOW();
        uint256[4] memory waits = [DELAY - 1, DELAY, end - 1, end];
        for (uint256 i; i < waits.length; ++i) _requestAndTry(waits[i]);
    }

    function _requestAndTry(uint256 wait) private {
        mint(dollar, account, AMOUNT);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        uint256 opensAt = block.timestamp + DELAY;
        uint256 closesAt = opensAt + factory.WITHDRAWAL_WINDOW();
        uint256 time = block.timestamp + wait;
        vm.warp(time);
        if (time < opensAt || time >= closesAt) _withdrawRefused(opensAt, closesAt);
        else _withdraw(address(dollar));
    }

    /// For a token that lets only a part of the balance go.
    function test_theDestinationTakesAPart() public {
        mint(dollar, account, AMOUNT);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        vm.prank(destination);
        vm.expectPartialRevert(SmartDepositFactoryB.WithdrawalClosed.selector);
        factory.withdrawAmount(inputs, address(dollar), 1);
        vm.warp(block.timestamp + DELAY);
        vm.prank(destination);
        factory.withdrawAmount(inputs, address(dollar), 1);
        assertEq(dollar.balanceOf(destination), 1, "the part");
        vm.prank(destination);
        vm.expectRevert(abi.encodeWithSelector(SmartDepositFactoryB.ZeroAmount.selector));
        factory.withdrawAmount(inputs, address(dollar), 0);
        vm.prank(keeper);
        vm.expectRevert(
            abi.encodeWithSelector(SmartDepositFactoryB.NotDestination.selector, keeper)
        );
        factory.withdrawAmount(inputs, address(dollar), 1);
    }

    function test_withoutARequestThereIsNoWithdrawal() public {
        mint(dollar, account, AMOUNT);
        _withdrawRefused(0, 0);
    }

    function test_nobodyElseRequestsOrWithdraws() public {
        mint(dollar, account, AMOUNT);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        vm.warp(block.timestamp + DELAY);
        address[4] memory others = [keeper, owner, guardian, stranger];
        for (uint256 i; i < others.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(
                SmartDepositFactoryB.NotDestination.selector,
                others[i]
            );
            vm.prank(others[i]);
            vm.expectRevert(reason);
            factory.requestWithdrawal(inputs);
            vm.prank(others[i]);
            vm.expectRevert(reason);
            factory.withdraw(inputs, address(dollar));
        }
    }

    /// The operator does all that it can: pause, no keeper, no route, no endpoint.
    function test_noOperatorStopsAWithdrawal() public {
        mint(dollar, account, AMOUNT);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        vm.prank(guardian);
        factory.pause();
        vm.prank(guardian);
        factory.stopRoute(address(vault));
        vm.prank(guardian);
        factory.dismissKeeper(keeper);
        vm.prank(owner);
        factory.setEndpoint(HOME, 0);
        vm.warp(block.timestamp + DELAY);
        _withdraw(address(dollar));
        assertEq(dollar.balanceOf(destination), AMOUNT, "with the destination");
    }

    function test_keepersSettleMeanwhile() public {
        mint(dollar, account, 2 * AMOUNT);
        vm.prank(destination);
        factory.requestWithdrawal(inputs);
        _settle(forwardOf(inputs, nextPayment(), AMOUNT));
        vm.warp(block.timestamp + DELAY);
        _withdraw(address(dollar));
        assertEq(dollar.balanceOf(destination), AMOUNT, "the rest");
    }

    // Who may call

    function test_onlyKeepersAndTheOwnerSettle() public {
        mint(dollar, account, AMOUNT);
        address[3] memory others = [guardian, stranger, destination];
        for (uint256 i; i < others.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(
                SmartDepositRoles.NotKeeper.selector,
                others[i]
            );
            Settlement memory one = _refund(address(dollar), 1);
            vm.prank(others[i]);
            vm.expectRevert(reason);
            factory.settle(one);
            vm.prank(others[i]);
            vm.expectRevert(reason);
            factory.settleMany(new Part[](0));
        }
        vm.prank(owner);
        factory.settle(_refund(address(dollar), AMOUNT));
    }

    function test_theAccountObeysTheFactoryAlone() public {
        mint(dollar, account, AMOUNT);
        _settle(_refund(address(dollar), 1));
        address[5] memory others = [keeper, owner, guardian, stranger, destination];
        for (uint256 i; i < others.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(
                SmartDepositAccountB.OnlyFactory.selector,
                others[i]
            );
            vm.prank(others[i]);
            vm.expectRevert(reason);
            SmartDepositAccountB(payable(account)).refund(address(dollar), 1);
            vm.prank(others[i]);
            vm.expectRevert(reason);
            SmartDepositAccountB(payable(account)).recover(address(dollar), 1);
        }
    }

    function test_aPauseStopsAllButRefundsAndWithdrawals() public {
        mint(dollar, account, AMOUNT);
        mint(euro, account, AMOUNT);
        vm.prank(guardian);
        factory.pause();
        bytes memory reason = abi.encodeWithSignature("EnforcedPause()");
        _refused(forwardOf(inputs, nextPayment(), AMOUNT), reason);
        _refused(_recover(address(dollar), AMOUNT), reason);
        _refused(convertOf(inputs, nextPayment(), quoteFor(account, euro, AMOUNT)), reason);
        _settle(_refund(address(dollar), AMOUNT));
    }

    function test_theFactoryTakesNoCoins() public {
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool isDone, ) = address(factory).call{value: 1}("");
        assertTrue(!isDone, "refused");
    }

    function test_theOwnersDelayIsFixed() public {
        SmartDepositTimelock timelock = new SmartDepositTimelock(3 days, owner, guardian);
        bytes memory call = abi.encodeCall(timelock.updateDelay, (0));
        vm.prank(owner);
        timelock.schedule(address(timelock), 0, call, 0, 0, 3 days);
        vm.warp(block.timestamp + 3 days);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(SmartDepositTimelock.DelayIsFixed.selector));
        timelock.execute(address(timelock), 0, call, 0, 0);
        assertEq(timelock.getMinDelay(), 3 days, "the delay");
    }

    function test_theOwnerCannotGiveUp() public {
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(SmartDepositRoles.OwnerNeeded.selector));
        factory.renounceOwnership();
    }

    // Reentrancy

    /// A token that is a keeper itself, and calls every function while it moves.
    function test_aTokenDoesNotComeInAgain() public {
        CallingToken token = new CallingToken(address(this));
        vm.prank(owner);
        factory.setKeeper(address(token), true);
        mint(token, account, 5 * AMOUNT);
        mint(dollar, account, AMOUNT);
        Settlement memory inner = _refund(address(dollar), AMOUNT);
        Part[] memory parts = new Part[](1);
        parts[0] = partOf(inner);
        bytes[5] memory calls = [
            abi.encodeCall(factory.settle, (inner)),
            abi.encodeCall(factory.settleMany, (parts)),
            abi.encodeCall(factory.settlePart, (inner)),
            abi.encodeCall(factory.withdraw, (inputs, address(dollar))),
            abi.encodeCall(factory.withdrawAmount, (inputs, address(dollar), AMOUNT))
        ];
        for (uint256 i; i < calls.length; ++i) {
            token.callWhileMoving(address(factory), calls[i]);
            _settle(_recover(address(token), AMOUNT));
            assertEq(token.successes(), 0, "came in again");
        }
        assertEq(dollar.balanceOf(account), AMOUNT, "nothing else moved");
    }

    /// A destination that gets coins and calls its withdrawal again.
    function test_aDestinationDoesNotComeInAgain() public {
        CallingDestination foe = new CallingDestination();
        AccountInputs memory its = inputsOf(address(foe));
        address place = factory.accountOf(its);
        vm.deal(place, 2 ether);
        mint(dollar, place, AMOUNT);
        foe.run(address(factory), abi.encodeCall(factory.requestWithdrawal, (its)));
        vm.warp(block.timestamp + DELAY);
        foe.callWhilePaid(
            address(factory),
            abi.encodeCall(factory.withdraw, (its, address(dollar)))
        );
        foe.run(address(factory), abi.encodeCall(factory.withdraw, (its, NATIVE)));
        assertEq(foe.successes(), 0, "came in again");
        assertEq(address(foe).balance, 2 ether, "the coins once");
    }

    // Helpers

    function _settle(Settlement memory one) private {
        vm.prank(keeper);
        factory.settle(one);
    }

    function _refused(Settlement memory one, bytes memory reason) private {
        vm.prank(keeper);
        vm.expectRevert(reason);
        factory.settle(one);
    }

    function _refusedWith(Settlement memory one, bytes4 reason) private {
        vm.prank(keeper);
        vm.expectPartialRevert(reason);
        factory.settle(one);
    }

    function _withdraw(address token) private {
        vm.prank(destination);
        factory.withdraw(inputs, token);
    }

    function _withdrawRefused(uint256 opensAt, uint256 closesAt) private {
        vm.prank(destination);
        vm.expectRevert(
            abi.encodeWithSelector(
                SmartDepositFactoryB.WithdrawalClosed.selector,
                opensAt,
                closesAt
            )
        );
        factory.withdraw(inputs, address(dollar));
    }

    function _refund(address token, uint256 amount) private returns (Settlement memory) {
        return returnOf(SettlementKind.REFUND, inputs, nextPayment(), token, amount);
    }

    function _recover(address token, uint256 amount) private returns (Settlement memory) {
        return returnOf(SettlementKind.RECOVER, inputs, nextPayment(), token, amount);
    }

    function _setRoute(address to) private {
        vm.prank(owner);
        factory.setRoute(address(vault), to, DepositForm.PLAIN);
    }

    function _refusedRoute(address to) private {
        vm.prank(owner);
        vm.expectRevert(
            abi.encodeWithSelector(SmartDepositRoles.NotDepositorOf.selector, to, address(vault))
        );
        factory.setRoute(address(vault), to, DepositForm.PLAIN);
    }

    /// How many parts failed in the recorded logs.
    function _failures() private returns (uint256 count) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i)
            if (logs[i].topics[0] == SmartDepositFactoryB.SettlementFailed.selector) count += 1;
    }
}
